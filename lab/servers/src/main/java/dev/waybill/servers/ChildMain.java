package dev.waybill.servers;

import java.lang.reflect.InvocationTargetException;
import java.util.stream.IntStream;

/** The first class of every child JVM: ends with its parent, even if the parent was killed, then runs the real main. */
final class ChildMain {

    private ChildMain() {}

    /** Where a child finds an argument: in its environment, because a command line can be read by every local user. */
    static String variable(int argument) {
        return "WAYBILL_CHILD_ARGUMENT_" + argument;
    }

    public static void main(String[] arguments) throws Throwable {
        var parent = ProcessHandle.of(Long.parseLong(arguments[0]));
        if (parent.isEmpty()) {
            return;
        }
        var watch = new Thread(() -> endWith(parent.get()), "parent-watch");
        watch.setDaemon(true);
        watch.start();
        var rest = IntStream.range(0, Integer.parseInt(arguments[2]))
                .mapToObj(argument -> System.getenv(variable(argument)))
                .toArray(String[]::new);
        var main = Class.forName(arguments[1]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) rest);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause() == null ? thrown : thrown.getCause();
        }
    }

    private static void endWith(ProcessHandle parent) {
        parent.onExit().join();
        Runtime.getRuntime().halt(137);
    }
}
