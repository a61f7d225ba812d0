package dev.waybill.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Does something between the lock and the mark of the first claim. By default it prints {@code LOCKED} and waits until the
 * process was frozen and thawed, which shows as a jump of its clock. So a test can send SIGSTOP exactly there.
 */
final class WaitsBetweenLockAndMark {

    private static final long JUMP = Duration.ofSeconds(1).toNanos();

    private final AtomicBoolean done = new AtomicBoolean();
    private final Runnable between;

    private WaitsBetweenLockAndMark(Runnable between) {
        this.between = between;
    }

    static DataSource perhaps(NodeSettings spec, DataSource dataSource) {
        return spec.text("waitBetweenLockAndMark", "false").equals("true")
                ? over(dataSource, WaitsBetweenLockAndMark::waitForTheFreeze)
                : dataSource;
    }

    static DataSource over(DataSource dataSource, Runnable between) {
        WaitsBetweenLockAndMark waits = new WaitsBetweenLockAndMark(between);
        return proxy(DataSource.class, dataSource, (name, sql, result) -> {
            if (name.equals("getConnection")) {
                return waits.watched((Connection) result);
            }
            return result;
        });
    }

    private Connection watched(Connection connection) {
        boolean[] locked = new boolean[1];
        return proxy(Connection.class, connection, (name, sql, result) -> {
            if (name.equals("prepareStatement") && sql.contains("FOR UPDATE SKIP LOCKED")) {
                locked[0] = true;
            } else if (name.equals("prepareStatement") && locked[0] && done.compareAndSet(false, true)) {
                between.run();
            }
            return result;
        });
    }

    private static void waitForTheFreeze() {
        System.out.println("LOCKED");
        System.out.flush();
        long last = System.nanoTime();
        while (System.nanoTime() - last < JUMP) {
            last = System.nanoTime();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private interface After {
        Object called(String method, String firstText, Object result);
    }

    private static <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        String text = arguments != null && arguments.length > 0 && arguments[0] instanceof String sql
                                ? sql
                                : "";
                        return after.called(method.getName(), text, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
