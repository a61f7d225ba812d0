package dev.waybill.bench;

import dev.waybill.bench.contenders.DualWriteContender;
import dev.waybill.bench.contenders.PlainInsertContender;
import dev.waybill.bench.contenders.RawBrokerContender;
import dev.waybill.bench.contenders.WaybillContender;
import dev.waybill.bench.contenders.WaybillInboxContender;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Everybody who takes part. */
final class Field {

    static final String RAW = "raw-broker";
    static final String PLAIN = "plain-insert";
    static final String NONE = "no-event";
    static final String DUAL = "dual-write";
    static final String WAYBILL = "waybill";
    static final String INBOX = "waybill-inbox";

    private static final Map<String, String> PEERS = Map.of(
            "gruelbox", "dev.waybill.peers.gruelbox.GruelboxContender",
            "namastack", "dev.waybill.peers.namastack.NamastackContender",
            "modulith", "dev.waybill.peers.modulith.ModulithContender");

    private Field() {}

    /** The limits, Waybill, and the peers that were built. */
    static List<Entrant> entrants() {
        List<Entrant> all = new ArrayList<>(List.of(
                Entrant.own(RAW, Entrant.Role.LIMIT, RawBrokerContender.class),
                Entrant.own(NONE, Entrant.Role.LIMIT, PlainInsertContender.class),
                Entrant.own(PLAIN, Entrant.Role.LIMIT, PlainInsertContender.class),
                Entrant.own(DUAL, Entrant.Role.LIMIT, DualWriteContender.class),
                Entrant.own(WAYBILL, Entrant.Role.WAYBILL, WaybillContender.class),
                Entrant.own(INBOX, Entrant.Role.WAYBILL, WaybillInboxContender.class)));
        PEERS.keySet().stream()
                .sorted()
                .filter(id -> Files.exists(Checkout.root().resolve("lab/peers/" + id + "/target/class-path")))
                .forEach(id -> all.add(Entrant.peer(id, PEERS.getOrDefault(id, ""))));
        return all;
    }

    /** Whether its events have to arrive somewhere. */
    static boolean sends(Entrant entrant) {
        return !entrant.id().equals(PLAIN) && !entrant.id().equals(NONE);
    }
}
