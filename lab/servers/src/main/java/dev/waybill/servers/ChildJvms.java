package dev.waybill.servers;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The child JVMs of one test: injected by {@link ServersExtension}, which ends them all when the test ends. */
public final class ChildJvms implements AutoCloseable {

    private final Queue<ChildJvm> children = new ConcurrentLinkedQueue<>();

    ChildJvms() {}

    public ChildJvm start(Class<?> main, String... arguments) {
        return start(ChildJvm.of(main).arguments(arguments));
    }

    public ChildJvm start(ChildJvm.Builder builder) {
        var child = builder.start();
        children.add(child);
        return child;
    }

    @Override
    public void close() {
        for (var child = children.poll(); child != null; child = children.poll()) {
            child.close();
        }
    }
}
