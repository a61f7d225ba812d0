package dev.waybill.servers;

import java.lang.reflect.InvocationTargetException;

/** The first class of every child JVM: ends with its parent, even if the parent was killed, then runs the real main. */
final class ChildMain {

    private ChildMain() {}

    public static void main(String[] arguments) throws Throwable {
        var parent = ProcessHandle.of(Long.parseLong(arguments[0]));
        if (parent.isEmpty()) {
            return;
        }
        var watch = new Thread(() -> endWith(parent.get()), "parent-watch");
        watch.setDaemon(true);
        watch.start();
        var rest = new String[arguments.length - 2];
        System.arraycopy(arguments, 2, rest, 0, rest.length);
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
