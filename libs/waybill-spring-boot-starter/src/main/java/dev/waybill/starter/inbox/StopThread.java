package dev.waybill.starter.inbox;

/** Lets parts of one phase stop at the same time: Spring waits for all of them together. */
final class StopThread {

    private StopThread() {}

    static void run(Runnable stop, Runnable stopped) {
        Thread thread = new Thread(
                () -> {
                    try {
                        stop.run();
                    } finally {
                        stopped.run();
                    }
                },
                "waybill-stop");
        thread.setDaemon(true);
        thread.start();
    }
}
