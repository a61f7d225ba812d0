package dev.waybill.outbox;

import java.util.Set;

/**
 * A relay at this moment.
 *
 * @param waiting claimedEvents in memory, not sent yet
 * @param inFlight messages without an answer
 * @param unsettled answers not written yet
 * @param window how many messages may be in flight now
 * @param sent confirmed and written since the start
 * @param retried failed sends that will be repeated
 * @param dead events given up
 * @param released claimedEvents given back unsent
 * @param leasesLost claimedEvents that became somebody else's
 * @param down topics that do not take messages now; an empty name is the whole broker
 */
public record RelayStats(
        int waiting,
        int inFlight,
        int unsettled,
        int window,
        long sent,
        long retried,
        long dead,
        long released,
        long leasesLost,
        Set<String> down) {}
