package dev.waybill.marketplace;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.waybill.marketplace", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    @ArchTest
    static final ArchRule arrowsGoOneWay =
            slices().matching("dev.waybill.marketplace.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theDomainKnowsNeitherTablesNorMessagesNorHttp = noClasses()
            .that()
            .resideInAPackage("..marketplace.domain..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..marketplace.api..",
                    "..marketplace.db..",
                    "..marketplace.messaging..",
                    "org.springframework.jdbc..",
                    "org.springframework.web..",
                    "dev.waybill.outbox..",
                    "dev.waybill.inbox..");
}
