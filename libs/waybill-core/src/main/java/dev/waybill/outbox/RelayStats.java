package dev.waybill.outbox;

import dev.waybill.transport.SendTarget;
import java.util.Set;

/**
 * A relay at this moment.
 *
 * @param waiting events in memory, not sent yet
 * @param inFlight messages without an answer
 * @param unsettled settlements not written yet
 * @param window how many messages may be in flight now
 * @param sent confirmed and written since the start
 * @param retried failed sends that will be repeated
 * @param dead events given up
 * @param released events given back unsent
 * @param leasesLost rows that became somebody else's
 * @param down what takes no messages now
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
        Set<SendTarget> down) {}
