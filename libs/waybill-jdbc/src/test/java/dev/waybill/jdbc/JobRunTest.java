package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.job.JobItemResult;
import dev.waybill.job.JobWorker;
import dev.waybill.job.Jobs;
import dev.waybill.store.JobStore;
import dev.waybill.store.JobStore.RefusedItem;
import dev.waybill.store.JobStore.State;
import dev.waybill.store.JobStore.StoredJob;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that throws, a database that is away for a moment, a person who cancels: no job is stuck, and all that was done is counted. */
@Timeout(60)
class JobRunTest {

    private static final String KIND = "requeue";
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final OperatorDecision ANN = new OperatorDecision("ann", "the handler is mended");

    private final TestPool pool = new TestPool(TestPool.h2());
    private final JdbcJobStore store = new JdbcJobStore(pool.connections());
    private final List<String> worked = new CopyOnWriteArrayList<>();

    /** What becomes of a subject; one that was worked off before is refused, as a row that is not DEAD any more. */
    private interface Work {
        void on(String subject) throws InterruptedException;
    }

    @BeforeEach
    void tables() {
        Ddl.applyJobs(pool.connections());
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Jobs jobs(JobStore store, Work work) {
        JobWorker worker = new JobWorker() {
            @Override
            public String kind() {
                return KIND;
            }

            @Override
            public JobItemResult work(StoredJob job, String subject) throws InterruptedException {
                work.on(subject);
                if (worked.contains(subject)) {
                    return new JobItemResult.Refused("it is not DEAD");
                }
                worked.add(subject);
                return new JobItemResult.Done();
            }
        };
        return new Jobs(store, "shop", List.of(worker), Jobs.DEFAULT_LEASE);
    }

    private StoredJob ended(JobStore store, Work work, String... subjects) {
        Jobs jobs = jobs(store, work);
        jobs.start();
        try {
            long id = jobs.begin(KIND, "", 100_000, ANN, List.of(subjects)).id();
            await().atMost(SOON).until(() -> found(id).state() != State.RUNNING);
            return found(id);
        } finally {
            assertThat(jobs.stop(SOON)).isTrue();
        }
    }

    private StoredJob found(long id) {
        return store.find(id).orElseThrow();
    }

    @Test
    void aSubjectWhoseWorkThrowsIsRefusedAndTheOthersGoOn() {
        StoredJob end = ended(
                store,
                subject -> {
                    if (subject.equals("b")) {
                        throw new StoreException(Reason.VALUE, "invalid input syntax for type uuid\u0000", null);
                    }
                    if (subject.equals("c")) {
                        throw new IllegalStateException();
                    }
                },
                "a",
                "b",
                "c",
                "d");

        assertThat(end.state()).isEqualTo(State.FINISHED);
        assertThat(worked).containsExactly("a", "d");
        assertThat(end.done()).isEqualTo(2);
        assertThat(store.refused(end.id(), 0, 10))
                .extracting(RefusedItem::subject)
                .containsExactly("b", "c");
        assertThat(store.refused(end.id(), 0, 1).get(0).refusal()).contains("invalid input syntax for type uuid");
    }

    @Test
    void whileTheDatabaseIsAwayAJobWaitsAndCountsWhatItDidBefore() {
        AtomicBoolean away = new AtomicBoolean(true);
        StoredJob end = ended(
                store,
                subject -> {
                    if (subject.equals("c") && away.getAndSet(false)) {
                        throw new StoreException(Reason.UNAVAILABLE, "the connection is lost", null);
                    }
                },
                "a",
                "b",
                "c",
                "d");

        assertThat(worked).containsExactly("a", "b", "c", "d");
        assertThat(end.done()).isEqualTo(4);
        assertThat(end.refused()).isZero();
    }

    /** The commit may have come through all the same: nobody heard its answer. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatCouldNotBeSettledIsSettledLaterAndOnce(boolean committed) {
        AtomicBoolean lost = new AtomicBoolean();
        JobStore losing = (JobStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JobStore.class}, (self, method, values) -> {
                    boolean loses = method.getName().equals("settle") && !lost.getAndSet(true);
                    try {
                        Object result = loses && !committed ? null : method.invoke(store, values);
                        if (loses) {
                            throw new StoreException(Reason.UNAVAILABLE, "the connection is lost", null);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });

        StoredJob end = ended(losing, subject -> {}, "a", "b", "c");

        assertThat(worked).containsExactly("a", "b", "c");
        assertThat(end.done()).isEqualTo(3);
        assertThat(end.refused()).isZero();
    }

    @Test
    void whatWentOnWhileAPersonCanceledIsCounted() {
        CountDownLatch under = new CountDownLatch(1);
        CountDownLatch canceled = new CountDownLatch(1);
        Jobs jobs = jobs(store, subject -> {
            under.countDown();
            canceled.await();
        });
        jobs.start();
        List<String> subjects = IntStream.range(0, 200).mapToObj(i -> "s" + i).toList();
        long id = jobs.begin(KIND, "", 100_000, ANN, subjects).id();
        await().atMost(SOON).until(() -> under.getCount() == 0);

        assertThat(store.cancel(id, new OperatorDecision("bob", "the wrong ones")))
                .isTrue();
        canceled.countDown();
        await().atMost(SOON).until(() -> !worked.isEmpty());
        assertThat(jobs.stop(SOON)).as("after the slice").isTrue();

        assertThat(worked).hasSizeLessThanOrEqualTo(50);
        assertThat(found(id).state()).isEqualTo(State.CANCELED);
        assertThat(found(id).done()).isEqualTo(worked.size());
    }

    @Test
    void aJobThatWaitsTriesLessAndLessAndSeesThatItWasCanceled() {
        AtomicBoolean away = new AtomicBoolean(true);
        AtomicInteger tried = new AtomicInteger();
        Jobs jobs = jobs(store, subject -> {
            tried.incrementAndGet();
            if (away.get()) {
                throw new StoreException(Reason.UNAVAILABLE, "the connection is lost", null);
            }
        });
        jobs.start();
        long id = jobs.begin(KIND, "", 100_000, ANN, List.of("a", "b")).id();
        await().atMost(SOON)
                .until(() -> "the connection is lost".equals(found(id).note()));
        await().during(Duration.ofMillis(4_200)).atMost(SOON).until(() -> tried.get() <= 3);

        assertThat(store.cancel(id, new OperatorDecision("bob", "the wrong ones")))
                .isTrue();
        away.set(false);
        long next = jobs.begin(KIND, "", 100_000, ANN, List.of("c")).id();
        await().atMost(SOON).until(() -> found(next).state() == State.FINISHED);
        await().during(Duration.ofMillis(1_500)).atMost(SOON).until(() -> worked.equals(List.of("c")));
        assertThat(jobs.stop(SOON)).isTrue();
    }
}
