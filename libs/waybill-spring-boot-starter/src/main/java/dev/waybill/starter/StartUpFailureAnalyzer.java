package dev.waybill.starter;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refused start-up as two sentences in place of a stack trace. */
final class StartUpFailureAnalyzer extends AbstractFailureAnalyzer<StartUpException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartUpException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.fix(), cause);
    }
}
