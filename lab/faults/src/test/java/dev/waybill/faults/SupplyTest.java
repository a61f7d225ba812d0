package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.outbox.Outbox;
import dev.waybill.servers.Checkout;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What others get beside the code: what the build makes, what it refuses, and the files that people look for. */
class SupplyTest {

    private static final Path ROOT = Checkout.root();
    private static final Pom PARENT = Pom.read(ROOT.resolve("pom.xml"));
    private static final String PLUGIN = "/project/build/plugins/plugin[artifactId='%s']";
    private static final String RULES = PLUGIN.formatted("maven-enforcer-plugin") + "//rules/";

    @Test
    void whatPeopleLookForIsThere() throws IOException {
        for (String name :
                List.of("LICENSE", "NOTICE", "SECURITY.md", "mvnw", ".mvn/wrapper/maven-wrapper.properties")) {
            assertThat(ROOT.resolve(name)).isNotEmptyFile();
        }
        assertThat(ROOT.resolve("mvnw")).isExecutable();
        assertThat(Files.readAllLines(ROOT.resolve(".gitignore"))).contains(".jqwik-database");
    }

    @Test
    void jarsThatNothingCallsAreRefusedAndAbsent() {
        assertThat(PARENT.texts(PLUGIN.formatted("maven-enforcer-plugin") + "/executions/execution/goals/goal"))
                .containsExactly("enforce");
        assertThat(PARENT.texts(RULES + "bannedDependencies/excludes/exclude"))
                .contains("com.alibaba:fastjson", "commons-beanutils:commons-beanutils");
        for (String rule : List.of("dependencyConvergence", "requireJavaVersion", "requireMavenVersion")) {
            assertThat(PARENT.texts(RULES + rule)).as(rule).hasSize(1);
        }
        for (String name : List.of("com.alibaba.fastjson.JSON", "org.apache.commons.beanutils.BeanUtils")) {
            assertThat(getClass().getClassLoader().getResource(name.replace('.', '/') + ".class"))
                    .as(name)
                    .isNull();
        }
    }

    /** In the POM itself, or in what the parent manages: Maven's own choice depends on Maven's version. */
    @Test
    void everyPluginIsPinned() throws IOException {
        Set<String> managed =
                Set.copyOf(PARENT.texts("/project/build/pluginManagement/plugins/plugin[version]/artifactId"));
        List<String> free = new ArrayList<>();
        for (Pom pom : poms()) {
            pom.texts("//plugin[not(version)]/artifactId").stream()
                    .filter(plugin -> !managed.contains(plugin))
                    .forEach(plugin -> free.add(pom + " " + plugin));
        }
        assertThat(managed).contains("maven-surefire-plugin", "maven-jar-plugin", "maven-install-plugin");
        assertThat(free).isEmpty();
    }

    @Test
    void aReleaseHasSourcesDocumentationAndAListOfParts() {
        assertThat(PARENT.texts("/project/profiles/profile[id='release']//plugin/artifactId"))
                .contains("maven-source-plugin", "maven-javadoc-plugin", "cyclonedx-maven-plugin");
        assertThat(PARENT.texts("/project/profiles/profile[id='release']//plugin//goal"))
                .containsExactly("jar-no-fork", "jar", "makeBom");
        assertThat(PARENT.text("//plugin[artifactId='maven-jar-plugin']//Automatic-Module-Name"))
                .isEqualTo("${waybill.module-name}");
    }

    @Test
    void aLibraryBringsItsLicenceAlong() throws IOException {
        URL library = Outbox.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader alone = new URLClassLoader(new URL[] {library}, null)) {
            assertThat(alone.findResource("META-INF/LICENSE")).isNotNull();
            assertThat(alone.findResource("META-INF/NOTICE")).isNotNull();
        }
    }

    private static List<Pom> poms() throws IOException {
        List<Pom> all = new ArrayList<>(List.of(PARENT));
        for (String folder : List.of("apps", "examples", "lab", "libs")) {
            all.addAll(Pom.below(ROOT.resolve(folder)));
        }
        return all;
    }
}
