package dev.waybill.bench;

import java.util.List;

/** Something that every contender is asked to do, in turns. */
interface Workload {

    String title();

    boolean includes(ContenderSettings contender, Environment environment);

    /** Turns whose figures nobody sees, at most: they end when the process's compilers have little left to do. */
    default int warmUps() {
        return 1;
    }

    /**
     * One repeat.
     *
     * @param warmUp one of those
     * @throws NotAResultException when its correctness check failed
     */
    Figures once(RunningContender running, boolean warmUp);

    List<ResultColumn> columns();
}
