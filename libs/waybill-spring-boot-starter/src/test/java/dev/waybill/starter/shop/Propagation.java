package dev.waybill.starter.shop;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs work in a transaction of a given propagation. */
public final class Propagation {

    /** Some work, which may look at its transaction. */
    @FunctionalInterface
    public interface Work {
        void run(TransactionStatus status);
    }

    private final PlatformTransactionManager manager;

    public Propagation(PlatformTransactionManager manager) {
        this.manager = manager;
    }

    public void required(Work work) {
        run(TransactionDefinition.PROPAGATION_REQUIRED, work);
    }

    public void requiresNew(Work work) {
        run(TransactionDefinition.PROPAGATION_REQUIRES_NEW, work);
    }

    public void nested(Work work) {
        run(TransactionDefinition.PROPAGATION_NESTED, work);
    }

    public void readOnly(Work work) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setReadOnly(true);
        template.executeWithoutResult(work::run);
    }

    private void run(int propagation, Work work) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation);
        template.executeWithoutResult(work::run);
    }
}
