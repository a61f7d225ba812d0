package dev.waybill.rocketmq;

/** Lets a client shut down where nobody waits for it: the client takes seconds to end its threads. */
final class BackgroundShutdown {

    private BackgroundShutdown() {}

    static void of(Runnable shutdown, String name) {
        Thread thread = new Thread(shutdown, "waybill-" + name + "-shutdown");
        thread.setDaemon(true);
        thread.start();
    }
}
