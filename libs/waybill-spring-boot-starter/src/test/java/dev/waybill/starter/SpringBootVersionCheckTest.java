package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Whether the check runs under Spring Boot 3 is seen by an application outside this repository, in lab/newcomer. */
class SpringBootVersionCheckTest {

    @ParameterizedTest
    @ValueSource(strings = {"2.7.18", "3.5.7", "3.0.0-M1"})
    void springBootBeforeFourIsRefusedInOneSentence(String version) {
        assertThatThrownBy(() -> SpringBootVersionCheck.check(version))
                .isInstanceOf(StartUpException.class)
                .hasMessageContainingAll("Spring Boot 4", version);
    }

    @Test
    void thisVersionAndLaterOnesStart() {
        assertThatCode(() -> SpringBootVersionCheck.check(SpringBootVersion.getVersion()))
                .doesNotThrowAnyException();
        assertThatCode(() -> SpringBootVersionCheck.check("10.0.0")).doesNotThrowAnyException();
    }

    @Test
    void springBootFindsTheCheck() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class))
                .hasAtLeastOneElementOfType(SpringBootVersionCheck.class);
    }
}
