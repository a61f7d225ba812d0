package dev.waybill.faults;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows of the house: one way, no circles, adapters never meet. */
class HouseRulesTest {

    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.waybill");

    @Test
    void arrowsGoDownwardsOnly() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("values")
                .definedBy("dev.waybill.message..", "dev.waybill.retry..", "dev.waybill.lifecycle..")
                .layer("store")
                .definedBy("dev.waybill.store..")
                .layer("transport")
                .definedBy("dev.waybill.transport..")
                .layer("jobs")
                .definedBy("dev.waybill.job..")
                .layer("engine")
                .definedBy("dev.waybill.outbox..", "dev.waybill.inbox..")
                .layer("alerts")
                .definedBy("dev.waybill.alert..")
                .layer("databases")
                .definedBy("dev.waybill.jdbc..")
                .layer("brokers")
                .definedBy("dev.waybill.rabbitmq..", "dev.waybill.rocketmq..")
                .layer("memory")
                .definedBy("dev.waybill.memory..")
                .layer("testkit")
                .definedBy("dev.waybill.testkit..")
                .whereLayer("store")
                .mayOnlyBeAccessedByLayers("jobs", "engine", "alerts", "databases", "memory", "testkit")
                .whereLayer("jobs")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("transport")
                .mayOnlyBeAccessedByLayers("engine", "alerts", "brokers", "memory", "testkit")
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("alerts", "testkit")
                .whereLayer("alerts")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("databases")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("brokers")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("memory")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("testkit")
                .mayNotBeAccessedByAnyLayer()
                .check(HOUSE);
    }

    @Test
    void adaptersNeverMeet() {
        slices().matching("dev.waybill.(jdbc|rabbitmq|rocketmq|memory)..")
                .should()
                .notDependOnEachOther()
                .check(HOUSE);
    }

    @Test
    void packagesFormNoCircle() {
        slices().matching("dev.waybill.(*)..").should().beFreeOfCycles().check(HOUSE);
    }

    @Test
    void coreKnowsNothingButJavaLoggingAndStreamedJson() {
        classes()
                .that()
                .resideInAnyPackage(
                        "dev.waybill.message..",
                        "dev.waybill.retry..",
                        "dev.waybill.lifecycle..",
                        "dev.waybill.store..",
                        "dev.waybill.transport..",
                        "dev.waybill.outbox..",
                        "dev.waybill.inbox..",
                        "dev.waybill.job..",
                        "dev.waybill.alert..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.waybill.message..",
                        "dev.waybill.retry..",
                        "dev.waybill.lifecycle..",
                        "dev.waybill.store..",
                        "dev.waybill.transport..",
                        "dev.waybill.outbox..",
                        "dev.waybill.inbox..",
                        "dev.waybill.job..",
                        "dev.waybill.alert..",
                        "java.lang..",
                        "java.util..",
                        "java.time..",
                        "java.io..",
                        "java.net",
                        "java.nio.charset..",
                        "java.security",
                        "org.slf4j..",
                        "org.jspecify..",
                        "tools.jackson.core..")
                .check(HOUSE);
    }

    @Test
    void noPlaceIsNamedAfterNothing() {
        noClasses()
                .should()
                .haveNameMatching("(?i).*\\.(util|common|helper|manager|impl)s?\\..*")
                .orShould()
                .haveSimpleNameStartingWith("Abstract")
                .orShould()
                .haveSimpleNameStartingWith("Base")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .check(HOUSE);
    }
}
