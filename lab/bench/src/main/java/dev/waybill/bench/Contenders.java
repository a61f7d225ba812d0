package dev.waybill.bench;

import dev.waybill.bench.contenders.DualWriteContender;
import dev.waybill.bench.contenders.PlainInsertContender;
import dev.waybill.bench.contenders.RawBrokerContender;
import dev.waybill.bench.contenders.WaybillContender;
import dev.waybill.bench.contenders.WaybillInboxContender;
import dev.waybill.servers.Checkout;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Everything that takes part in the bench. */
final class Contenders {

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

    private Contenders() {}

    /** The limits, Waybill, and the peers that were built. */
    static List<ContenderSettings> all() {
        List<ContenderSettings> all = new ArrayList<>(List.of(
                ContenderSettings.own(RAW, ContenderSettings.Role.LIMIT, RawBrokerContender.class),
                ContenderSettings.own(NONE, ContenderSettings.Role.LIMIT, PlainInsertContender.class),
                ContenderSettings.own(PLAIN, ContenderSettings.Role.LIMIT, PlainInsertContender.class),
                ContenderSettings.own(DUAL, ContenderSettings.Role.LIMIT, DualWriteContender.class),
                ContenderSettings.own(WAYBILL, ContenderSettings.Role.WAYBILL, WaybillContender.class),
                ContenderSettings.own(INBOX, ContenderSettings.Role.WAYBILL, WaybillInboxContender.class)));
        PEERS.keySet().stream()
                .sorted()
                .filter(id -> Files.exists(Checkout.root().resolve("lab/peers/" + id + "/target/class-path")))
                .forEach(id -> all.add(ContenderSettings.peer(id, PEERS.getOrDefault(id, ""))));
        return all;
    }

    /** Whether its events have to arrive somewhere. */
    static boolean sends(ContenderSettings contender) {
        return !contender.id().equals(PLAIN) && !contender.id().equals(NONE);
    }
}
