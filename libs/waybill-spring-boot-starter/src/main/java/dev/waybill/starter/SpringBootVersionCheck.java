package dev.waybill.starter;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Refuses Spring Boot before 4, where classes that the auto-configuration is made of have other names: outbox and listeners would be
 * absent, and nothing would say why. Uses nothing itself that Spring Boot 3 does not have, and runs before any configuration
 * class is looked at.
 */
final class SpringBootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {

    private static final int LEAST = 4;

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        check(SpringBootVersion.getVersion());
    }

    static void check(String version) {
        if (Integer.parseInt(version.substring(0, version.indexOf('.'))) < LEAST) {
            throw new StartUpException(
                    "spring-boot.version",
                    "Waybill needs Spring Boot 4 or newer, and this application has " + version + ".",
                    "Set the version of spring-boot-starter-parent, or of the imported spring-boot-dependencies, to 4.1 or"
                            + " newer.",
                    null);
        }
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
