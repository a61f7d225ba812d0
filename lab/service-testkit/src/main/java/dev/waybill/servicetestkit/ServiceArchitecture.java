package dev.waybill.servicetestkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;

/** How a service's packages may depend on each other. */
public final class ServiceArchitecture {

    private ServiceArchitecture() {}

    public static ArchRule packagesAreFreeOfCycles(String service) {
        return slices().matching(service + ".(*)..").should().beFreeOfCycles();
    }

    public static ArchRule theDomainKnowsNeitherTablesNorMessagesNorHttp(String service) {
        return noClasses()
                .that()
                .resideInAPackage(service + ".domain..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        service + ".api..",
                        service + ".db..",
                        service + ".messaging..",
                        "org.springframework.jdbc..",
                        "org.springframework.web..",
                        "dev.waybill.outbox..",
                        "dev.waybill.inbox..");
    }

    /** Tables and the outbox belong to the domain; what comes over HTTP or from a broker does not. */
    public static ArchRule theDomainKnowsNeitherItsCallersNorHttp(String service) {
        return noClasses()
                .that()
                .resideInAPackage(service + ".domain..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        service + ".api..",
                        service + ".messaging..",
                        "org.springframework.web..",
                        "jakarta.servlet..",
                        "dev.waybill.inbox..");
    }
}
