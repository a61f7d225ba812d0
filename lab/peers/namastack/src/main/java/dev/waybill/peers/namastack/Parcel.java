package dev.waybill.peers.namastack;

/** The payload that is scheduled. */
public record Parcel(String id, String body) {}
