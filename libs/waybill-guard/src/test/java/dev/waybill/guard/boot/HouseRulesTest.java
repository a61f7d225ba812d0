package dev.waybill.guard.boot;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;

@AnalyzeClasses(packages = "dev.waybill.guard", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.waybill.guard.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule ofTheEngineTheGuardKnowsOnlyHowATraceIsWritten = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "dev.waybill.message..",
                            "dev.waybill.store..",
                            "dev.waybill.transport..",
                            "dev.waybill.outbox..",
                            "dev.waybill.inbox..")
                    .and(not(belongToAnyOf(TraceParent.class, TraceId.class))));

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
    static final ArchRule onlyTheRedisModuleKnowsLettuce =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.lettuce..");
}
