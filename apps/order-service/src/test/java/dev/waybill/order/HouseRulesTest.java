package dev.waybill.order;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.waybill.order", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    @ArchTest
    static final ArchRule arrowsGoOneWay =
            slices().matching("dev.waybill.order.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theDomainKnowsNeitherTablesNorMessagesNorHttp = noClasses()
            .that()
            .resideInAPackage("..order.domain..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..order.api..",
                    "..order.db..",
                    "..order.messaging..",
                    "org.springframework.jdbc..",
                    "org.springframework.web..",
                    "dev.waybill.outbox..",
                    "dev.waybill.inbox..");
}
