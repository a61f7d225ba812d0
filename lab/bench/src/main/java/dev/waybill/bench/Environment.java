package dev.waybill.bench;

import dev.waybill.servers.Server;

/** A database and a broker. */
record Environment(Server database, BrokerKind broker) {

    String title() {
        return database.title() + " + " + broker.title();
    }
}
