package dev.waybill.starter.retention;

import dev.waybill.jdbc.archive.FileArchive;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.outbox.Relay;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.RetentionProperties;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.InboxStore;
import dev.waybill.store.JobStore;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Deletes old rows of the tables that this process uses: the outbox where it relays, the inbox where it consumes. */
@AutoConfiguration(after = {WaybillAutoConfiguration.class, InboxAutoConfiguration.class})
@ConditionalOnBean(RelayLifecycle.class) // an application may leave the outbox out
@ConditionalOnProperty(name = "waybill.retention.enabled", matchIfMissing = true)
public final class RetentionAutoConfiguration {

    /** Opened at start-up, so that a folder that cannot be written shows there and not in a week. */
    @Bean
    @ConditionalOnMissingBean(RowArchive.class)
    @ConditionalOnProperty("waybill.retention.archive.folder")
    FileArchive waybillArchive(WaybillProperties properties) {
        return RetentionPropertiesValidator.archive(properties.retention().archive());
    }

    @Bean
    RetentionJob waybillRetentionJob(
            ListableBeanFactory beans,
            RelayLifecycle relay,
            ObjectProvider<InboxSubscriptions> inbox,
            ObjectProvider<SweepListener> listeners,
            WaybillProperties properties) {
        RetentionPropertiesValidator.check(properties.retention(), properties.inbox());
        RetentionPropertiesValidator.checkPartitions(properties);
        Supplier<List<Sweep>> sweeps = () -> {
            List<Sweep> all = new ArrayList<>();
            if (beans.getBeanProvider(Relay.class).getIfAvailable() != null && !relay.isNeedless()) {
                all.addAll(ofOutbox(beans.getBean(OutboxStore.class), properties.retention()));
            }
            InboxSubscriptions subscriptions = inbox.getIfAvailable();
            if (subscriptions != null && subscriptions.consumes()) {
                all.addAll(ofInbox(beans.getBean(InboxStore.class), properties.inbox(), properties.retention()));
                if (properties.inbox().collectDeadLetters()) {
                    all.addAll(ofLetters(beans.getBean(DeadLetterStore.class), properties.retention()));
                }
            }
            JobStore jobs = beans.getBeanProvider(JobStore.class).getIfAvailable();
            if (jobs != null) {
                all.addAll(ofJobs(jobs, properties.retention()));
            }
            return all;
        };
        return new RetentionJob(sweeps, new CompositeSweepListener(listeners));
    }

    private static List<Sweep> ofOutbox(OutboxStore store, RetentionProperties retention) {
        List<Sweep> sweeps = new ArrayList<>();
        sweeps.add(new Sweep("sent outbox events", retention.sent(), retention.interval(), store::sweepSettled));
        Duration dead = retention.dead();
        if (dead != null) {
            sweeps.add(new Sweep("dead outbox events", dead, retention.interval(), store::sweepDead));
        }
        sweeps.add(new Sweep("errors of sends", retention.attempts(), retention.interval(), store::sweepAttempts));
        sweeps.add(new Sweep("outbox audit", retention.audit(), retention.interval(), store::sweepAudit));
        return sweeps;
    }

    private static List<Sweep> ofJobs(JobStore store, RetentionProperties retention) {
        return List.of(
                new Sweep("ended jobs", retention.letters(), retention.interval(), store::sweepEnded),
                new Sweep("job audit", retention.audit(), retention.interval(), store::sweepAudit));
    }

    private static List<Sweep> ofInbox(InboxStore store, InboxProperties inbox, RetentionProperties retention) {
        return List.of(
                new Sweep("handled events", inbox.retention(), inbox.sweepInterval(), store::sweep),
                new Sweep("failed inbox events", retention.failed(), retention.interval(), store::sweepFailed));
    }

    private static List<Sweep> ofLetters(DeadLetterStore store, RetentionProperties retention) {
        return List.of(
                new Sweep("settled dead letters", retention.letters(), retention.interval(), store::sweepSettled),
                new Sweep("dead letter audit", retention.audit(), retention.interval(), store::sweepAudit));
    }
}
