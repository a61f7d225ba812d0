package dev.waybill.guard.boot;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.waybill.guard", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.waybill.guard.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theGuardKnowsNothingOfTheEngine = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.waybill.message..",
                    "dev.waybill.store..",
                    "dev.waybill.transport..",
                    "dev.waybill.outbox..",
                    "dev.waybill.inbox..");

    @ArchTest
    static final ArchRule onlyTheBootPackageAssembles = noClasses()
            .that()
            .resideOutsideOfPackage("..boot..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.waybill.guard.boot..");

    @ArchTest
    static final ArchRule storesOnRedisNeverReadTheClockOfTheJvm = noClasses()
            .that()
            .haveSimpleNameStartingWith("Redis")
            .or()
            .haveSimpleName("SlicedBuckets")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.time.Instant")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.time.Clock");

    @ArchTest
    static final ArchRule onlyTheStoresKnowLettuce = noClasses()
            .that()
            .resideOutsideOfPackage("..guard.store..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.lettuce..");
}
