package dev.waybill.inventory.domain;

import java.time.Instant;

/**
 * How far gate and database were compared. It is stored with the levels: a gate that lost them lost it too, and one that was
 * restored to an earlier state tells of an earlier time.
 */
sealed interface Progress {

    record ComparedUntil(Instant time) implements Progress {}

    /** The gate has lost its data: compare everything. */
    record RepairAll() implements Progress {}

    /** Another process compares everything right now. */
    record OthersRepair() implements Progress {}
}
