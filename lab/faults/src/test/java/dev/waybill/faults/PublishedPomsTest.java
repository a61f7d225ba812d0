package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What goes into repositories: the libraries and their BOM alone, complete, with the coordinates that documents name. */
class PublishedPomsTest {

    private static final Path ROOT = Checkout.root();
    private static final Pom PARENT = Pom.read(ROOT.resolve("pom.xml"));
    private static final Pom BOM = Pom.read(ROOT.resolve("libs/waybill-bom/pom.xml"));
    private static final String VERSION = PARENT.text("/project/version");
    private static final Pattern COORDINATES = Pattern.compile("dev\\.waybill:(waybill-[a-z-]+):([^`\\s]+)");

    @Test
    void theBomNamesEveryLibraryWithItsOwnVersion() throws IOException {
        String managed = "/project/dependencyManagement/dependencies/dependency/";

        assertThat(BOM.texts(managed + "artifactId"))
                .containsExactlyInAnyOrderElementsOf(
                        libraries().stream().map(Pom::artifactId).toList());
        assertThat(BOM.texts(managed + "version")).containsOnly("${project.version}");
        assertThat(BOM.texts(managed + "groupId")).containsOnly("dev.waybill");
        assertThat(BOM.text("/project/version")).isEqualTo(VERSION);
        assertThat(BOM.texts("/project/parent"))
                .as("an imported BOM brings along what its parent manages")
                .isEmpty();
    }

    @Test
    void onlyTheLibrariesArePublished() throws IOException {
        assertThat(PARENT.text("/project/properties/waybill.internal")).isEqualTo("true");
        for (String skip : List.of("install", "deploy", "source", "javadoc")) {
            assertThat(PARENT.text("/project/properties/maven." + skip + ".skip"))
                    .isEqualTo("${waybill.internal}");
        }
        for (Pom library : libraries()) {
            assertThat(library.text("/project/properties/waybill.internal"))
                    .as(library.toString())
                    .isEqualTo("false");
        }
        for (String folder : List.of("apps", "examples", "lab")) {
            List<Pom> others = Pom.below(ROOT.resolve(folder));
            assertThat(others).isNotEmpty();
            for (Pom other : others) {
                assertThat(other.text("/project/properties/waybill.internal"))
                        .as(other.toString())
                        .isEmpty();
            }
        }
    }

    @Test
    void everyLibraryHasANameAPurposeAndAModuleNameOfItsOwn() throws IOException {
        assertThat(libraries().stream().map(library -> library.text("/project/properties/waybill.module-name")))
                .doesNotHaveDuplicates()
                .allMatch(module -> module.matches("dev\\.waybill\\.[a-z]+"));
        for (Pom library : libraries()) {
            assertThat(library.text("/project/name")).startsWith("Waybill :: ");
            assertThat(library.text("/project/description")).hasSizeGreaterThan(20);
        }
        for (Pom pom : List.of(PARENT, BOM)) {
            for (String element :
                    List.of("url", "licenses/license/name", "developers/developer/name", "scm/connection")) {
                assertThat(pom.text("/project/" + element))
                        .as(pom + " " + element)
                        .isNotEmpty();
            }
        }
    }

    @Test
    void theBomPinsThePluginsThatTheParentPins() {
        String plugin = "/project/build/pluginManagement/plugins/plugin[artifactId='%s']/version";
        List<String> plugins = BOM.texts("/project/build/pluginManagement/plugins/plugin/artifactId");

        assertThat(plugins).hasSize(4);
        for (String name : plugins) {
            String property = PARENT.text(plugin.formatted(name)).replaceAll("[${}]", "");
            assertThat(BOM.text(plugin.formatted(name))).isEqualTo(PARENT.text("/project/properties/" + property));
        }
    }

    /** In prose {@code group:artifact:version}, in the guide also the lines for a POM. */
    @Test
    void documentsNameTheCoordinatesOfThePoms() throws IOException {
        for (String document :
                List.of("README.md", "README.zh-CN.md", "docs/getting-started.md", "docs/getting-started.zh-CN.md")) {
            Matcher named = COORDINATES.matcher(Files.readString(ROOT.resolve(document)));
            int found = 0;
            for (; named.find(); found++) {
                assertThat(ROOT.resolve("libs/" + named.group(1) + "/pom.xml")).exists();
                assertThat(named.group(2)).as(document + " " + named.group()).isEqualTo(VERSION);
            }
            assertThat(found).as(document).isPositive();
        }
        for (String guide : List.of("docs/getting-started.md", "docs/getting-started.zh-CN.md")) {
            assertThat(Files.readString(ROOT.resolve(guide)))
                    .contains("<artifactId>waybill-bom</artifactId>\n      <version>" + VERSION + "</version>");
        }
    }

    private static List<Pom> libraries() throws IOException {
        return Pom.below(ROOT.resolve("libs")).stream()
                .filter(pom -> !pom.text("/project/packaging").equals("pom"))
                .toList();
    }
}
