package dev.waybill.duplicates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.sourceforge.pmd.cpd.CPDConfiguration;
import net.sourceforge.pmd.cpd.CPDReport;
import net.sourceforge.pmd.cpd.CpdAnalysis;
import net.sourceforge.pmd.cpd.Match;
import net.sourceforge.pmd.lang.java.JavaLanguageModule;

/** Asks CPD, which leaves out package and import lines by itself. */
final class DuplicateFinder {

    static final int MINIMUM_TOKENS = 60;

    private final Path root;
    private final boolean anyNames;

    /** @param anyNames whether code with other identifiers and literals is a copy, too */
    DuplicateFinder(Path root, boolean anyNames) {
        this.root = root;
        this.anyNames = anyNames;
    }

    /** Every duplication in the scope, the largest first. */
    List<Duplication> find(Scope scope) {
        CPDConfiguration configuration = new CPDConfiguration();
        configuration.setOnlyRecognizeLanguage(JavaLanguageModule.getInstance());
        configuration.setMinimumTileSize(MINIMUM_TOKENS);
        configuration.setIgnoreIdentifiers(anyNames);
        configuration.setIgnoreLiterals(anyNames);
        configuration.setSourceEncoding(StandardCharsets.UTF_8);
        List<Duplication> found = new ArrayList<>();
        try (CpdAnalysis analysis = CpdAnalysis.create(configuration)) {
            scope.files(root).forEach(file -> analysis.files().addFile(file));
            analysis.performAnalysis(report -> found.addAll(duplications(report)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private List<Duplication> duplications(CPDReport report) {
        if (!report.getProcessingErrors().isEmpty()) {
            throw new IllegalStateException(
                    "CPD could not read a file: " + report.getProcessingErrors().get(0));
        }
        return report.getMatches().stream()
                .map(match -> duplication(match))
                .sorted(Comparator.comparingInt(Duplication::tokens).reversed())
                .toList();
    }

    private Duplication duplication(Match match) {
        List<Place> places = match.getMarkSet().stream()
                .map(mark -> mark.getLocation())
                .map(location -> new Place(
                        root.relativize(Path.of(location.getFileId().getAbsolutePath())),
                        location.getStartLine(),
                        location.getEndLine()))
                .toList();
        return new Duplication(match.getTokenCount(), places);
    }
}
