package dev.waybill.guard.boot;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import dev.waybill.guard.idempotent.IdempotencyKey;
import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.CallerIdentity;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.InvalidFieldException;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import java.util.Arrays;

@AnalyzeClasses(packages = "dev.waybill.guard", importOptions = ImportOption.DoNotIncludeTests.class)
class GuardArchitectureTest {

    /** The library's API. Every other type serves the guards alone and is hidden. */
    private static final Class<?>[] API = {
        Answer.class,
        Code.class,
        RefusedException.class,
        InvalidFieldException.class,
        CallerIdentity.class,
        RateLimit.class,
        Idempotent.class,
        IdempotencyKey.class,
        Trace.class,
        TraceContext.class,
        GuardSettings.class,
        GuardAutoConfiguration.class,
        SpanJoinAutoConfiguration.class,
        SpanLogAutoConfiguration.class
    };

    private static final DescribedPredicate<JavaClass> VISIBLE_TO_OTHER_MODULES =
            DescribedPredicate.describe("are visible to other modules", GuardArchitectureTest::isVisible);

    /** A type inside of a hidden one is hidden too, although a type inside of an interface is always called public. */
    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass()
                        .map(GuardArchitectureTest::isVisible)
                        .orElse(true);
    }

    @ArchTest
    static final ArchRule onlyTheApiIsPublic =
            classes().that(VISIBLE_TO_OTHER_MODULES).should(ArchCondition.from(belongToAnyOf(API)));

    @ArchTest
    static void theApiIsPublic(JavaClasses guard) {
        assertThat(Arrays.stream(API).map(guard::get)).allMatch(GuardArchitectureTest::isVisible);
    }

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
