package dev.waybill.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A pom.xml as it stands in the repository, asked by XPath. */
record Pom(Path file, Document document) {

    static Pom read(Path file) {
        try {
            return new Pom(
                    file,
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()));
        } catch (IOException | SAXException | ParserConfigurationException unreadable) {
            throw new AssertionError(file + " is no XML", unreadable);
        }
    }

    /** The POMs in the folders below this one, such as those of the libraries. */
    static List<Pom> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder, 3)) {
            return files.filter(file -> file.endsWith("pom.xml"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .map(Pom::read)
                    .toList();
        }
    }

    String text(String path) {
        return String.join(" ", texts(path));
    }

    List<String> texts(String path) {
        try {
            NodeList found =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
            return IntStream.range(0, found.getLength())
                    .mapToObj(i -> found.item(i).getTextContent().strip())
                    .toList();
        } catch (XPathExpressionException wrong) {
            throw new AssertionError(path, wrong);
        }
    }

    String artifactId() {
        return text("/project/artifactId");
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
