package dev.waybill.faults;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** A node whose producers go on whatever happens, and whose threads are in a group of their own, apart from other nodes'. */
final class NodeUnderLoad implements AutoCloseable {

    private static final int PER_SECOND = 100;

    final RelayTestEnvironment environment;
    final RelayNode node;
    final Producers producers;
    private final ThreadGroup threads;

    private NodeUnderLoad(RelayTestEnvironment environment, ThreadGroup threads, RelayNode node, Producers producers) {
        this.environment = environment;
        this.threads = threads;
        this.node = node;
        this.producers = producers;
    }

    /** Starts node and producers, and returns when the first events have arrived. */
    static NodeUnderLoad start(RelayTestEnvironment environment) {
        FailedSetUp begun = new FailedSetUp();
        begun.closeLater(environment);
        try {
            ThreadGroup threads = new ThreadGroup(environment.name);
            RelayNode node = begun.closeLater(
                    openedIn(threads, environment.spec.with("connectionMs", 5_000))); // as the starter has it
            runIn(threads, () -> {
                node.relay.start();
                return node;
            });
            Producers producers = begun.closeLater(new Producers(node, 2, Integer.MAX_VALUE, PER_SECOND).start());
            await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() > 2 * PER_SECOND);
            return new NodeUnderLoad(environment, threads, node, producers);
        } catch (RuntimeException | Error e) {
            begun.close(e);
            throw e;
        }
    }

    private static RelayNode openedIn(ThreadGroup threads, NodeSettings spec) {
        return runIn(threads, () -> new RelayNode(spec));
    }

    private static RelayNode runIn(ThreadGroup threads, Callable<RelayNode> work) {
        FutureTask<RelayNode> task = new FutureTask<>(work);
        new Thread(threads, task, "start").start();
        try {
            return task.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Names of Waybill's threads that live. */
    List<String> waybillThreads() {
        Thread[] live = new Thread[threads.activeCount() + 100];
        int many = threads.enumerate(live);
        return Stream.of(live)
                .limit(many)
                .map(Thread::getName)
                .filter(name -> name.startsWith("waybill"))
                .toList();
    }

    /** What the database kept is what the broker got, and every row says so. */
    List<String> awaitAllSent() {
        List<String> committed = environment.texts("SELECT id FROM business");
        await().atMost(Duration.ofMinutes(2)).until(() -> environment.count(RelayTestEnvironment.UNSENT) == 0);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> environment.arrivals.ids().containsAll(committed));
        return committed;
    }

    /** The node first: its pool ends connections on which producers wait for an answer. */
    @Override
    public void close() {
        node.close();
        producers.close();
        environment.close();
    }
}
