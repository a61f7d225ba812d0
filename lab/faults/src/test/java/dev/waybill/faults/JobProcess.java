package dev.waybill.faults;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.jdbc.JdbcJobStore;
import dev.waybill.job.Jobs;
import dev.waybill.message.HandlerResult;
import java.time.Duration;

/** Works jobs off in a process of its own. */
final class JobProcess {

    static final String SCOPE = "shop";

    private JobProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        NodeSettings spec = NodeSettings.parse(arguments);
        // the subscription is never started, because this process only replays
        ConsumerNode node = new ConsumerNode(spec, (connection, event) -> HandlerResult.DONE);
        DeadLetters letters = node.letters()
                .abandonedAfter(Duration.ofMillis(spec.number("abandonedMs", 60_000)))
                .build();
        letters.start();
        Jobs jobs = new Jobs(
                new JdbcJobStore(node.dataSource),
                SCOPE,
                letters.jobWorkers(),
                Duration.ofMillis(spec.number("leaseMs", 30_000)));
        jobs.start();
        System.out.println("READY");
        Thread.currentThread().join();
    }
}
