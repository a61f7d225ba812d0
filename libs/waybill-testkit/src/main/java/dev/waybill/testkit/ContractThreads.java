package dev.waybill.testkit;

import java.util.concurrent.Executor;

/** Threads for rules that need several at once. */
final class ContractThreads {

    /** A thread for every task: the common pool may have only one, and a task that waits would hold up the next. */
    static final Executor OWN_THREAD = task -> new Thread(task, "contract").start();

    private ContractThreads() {}
}
