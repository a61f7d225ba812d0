package dev.waybill.starter.admin;

import org.jspecify.annotations.Nullable;

/** How many subjects of a job are worked off in a second. */
final class JobRate {

    private static final int DEFAULT = 50;
    private static final int HIGHEST = 10_000;

    private JobRate() {}

    /** @throws AdminRefusal outside its limits */
    static int of(@Nullable Integer perSecond) {
        int rate = perSecond == null ? DEFAULT : perSecond;
        if (rate < 1 || rate > HIGHEST) {
            throw AdminRefusal.badInput("perSecond", "is 1 to " + HIGHEST);
        }
        return rate;
    }
}
