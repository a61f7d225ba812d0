package dev.waybill.starter.retention;

import dev.waybill.message.LogText;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Passes every call to all listener beans; one that fails keeps neither the others nor the sweep. */
final class CompositeSweepListener implements SweepListener {

    private static final Logger log = LoggerFactory.getLogger(CompositeSweepListener.class);

    private final ObjectProvider<SweepListener> beans;

    CompositeSweepListener(ObjectProvider<SweepListener> beans) {
        this.beans = beans;
    }

    @Override
    public void scheduled(String rows) {
        callEach(listener -> listener.scheduled(rows));
    }

    @Override
    public void swept(String rows, int deleted) {
        callEach(listener -> listener.swept(rows, deleted));
    }

    @Override
    public void failed(String rows) {
        callEach(listener -> listener.failed(rows));
    }

    private void callEach(Consumer<SweepListener> call) {
        beans.orderedStream().forEach(listener -> {
            try {
                call.accept(listener);
            } catch (RuntimeException e) {
                log.warn("[Retention] A listener failed; the sweep goes on", LogText.thrown(e));
            }
        });
    }
}
