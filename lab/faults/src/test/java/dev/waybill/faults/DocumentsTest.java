package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents keep their word: links lead somewhere, promises name tests that exist, two languages say the same. */
class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    /** A promise's proof: [`methodName`](path/to/Test.java). */
    private static final Pattern PROOF = Pattern.compile("\\[`(\\w+)`\\]\\(([^)]+\\.java)\\)");

    private static final Pattern PORT = Pattern.compile("(?m)^server:\\R  port: ([0-9]+)$");

    private static final Path ROOT = root();

    @Test
    void everyRelativeLinkLeadsToAFile() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path document : documents()) {
            Matcher links = LINK.matcher(Files.readString(document));
            while (links.find()) {
                String target = links.group(1);
                if (!target.contains("://") && !Files.exists(document.resolveSibling(target))) {
                    dead.add(ROOT.relativize(document) + " -> " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void everyPromiseNamesATestThatExists() throws IOException {
        Path guarantees = ROOT.resolve("docs/guarantees.md");
        String text = Files.readString(guarantees);
        Matcher proofs = PROOF.matcher(text);
        int found = 0;
        List<String> missing = new ArrayList<>();
        for (; proofs.find(); found++) {
            Path file = guarantees.resolveSibling(proofs.group(2));
            if (!Files.exists(file) || !Files.readString(file).contains("void " + proofs.group(1) + "(")) {
                missing.add(proofs.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(10);
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("- ")) {
                assertThat(lines.get(i + 1)).as(lines.get(i)).startsWith("  - [`");
                assertThat(lines.get(i)).hasSizeLessThan(250);
            }
        }
    }

    @Test
    void bothReadmesHaveTheSameShapeAndTheSameCode() throws IOException {
        String english = Files.readString(ROOT.resolve("README.md"));
        String chinese = Files.readString(ROOT.resolve("README.zh-CN.md"));

        assertThat(count(chinese, "\n## ")).isEqualTo(count(english, "\n## "));
        assertThat(count(chinese, "\n- ")).isEqualTo(count(english, "\n- "));
        assertThat(count(chinese, "\n| ")).isEqualTo(count(english, "\n| "));
        for (String example : List.of("spring", "plain")) {
            assertThat(region(chinese, example))
                    .isEqualTo(region(english, example))
                    .contains("outbox.publish");
        }
    }

    @Test
    void bothReadmesSayThatKafkaIsNotSupported() throws IOException {
        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("Kafka is not supported");
        assertThat(Files.readString(ROOT.resolve("README.zh-CN.md"))).contains("不支持 Kafka");
    }

    /** Two services of one machine must not meet on a port: people start the demo beside the others. */
    @Test
    void everyServiceHasAPortOfItsOwn() throws IOException {
        List<String> ports = new ArrayList<>();
        for (String settings : List.of(
                "guard-demo/src/main/resources/guard-demo.yaml",
                "order-service/src/main/resources/order-service.yaml",
                "inventory-service/src/main/resources/inventory-service.yaml",
                "marketplace/src/main/resources/marketplace.yaml")) {
            Matcher port = PORT.matcher(Files.readString(ROOT.resolve("apps").resolve(settings)));
            assertThat(port.find()).as(settings).isTrue();
            ports.add(port.group(1));
        }
        assertThat(ports).doesNotHaveDuplicates();
    }

    private static String region(String text, String example) {
        String begin = "<!-- example:" + example + " -->";
        return text.substring(text.indexOf(begin), text.indexOf("<!-- /example:" + example + " -->"));
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("dev"))) {
            here = here.getParent();
        }
        return here;
    }
}
