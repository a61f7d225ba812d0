package dev.waybill.peers.namastack;

/** The payload that is scheduled. */
public record OrderRecord(String id, String body) {}
