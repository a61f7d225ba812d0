package dev.waybill.bench;

import java.util.List;

/** Something that every contender is asked to do, in turns. */
interface Workload {

    String title();

    boolean takes(Entrant entrant, Ground ground);

    /**
     * One repeat.
     *
     * @param warmUp the first one, whose figures nobody sees
     * @throws NotAResultException when its correctness check failed
     */
    Figures once(Lane lane, boolean warmUp);

    List<Column> columns();
}
