package dev.waybill.jdbc;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What a process is called beside what it writes down: host and process id, as people find it on their machines. */
final class NodeName {

    private static final String CURRENT = host() + ":" + ProcessHandle.current().pid();

    private NodeName() {}

    static String current() {
        return CURRENT;
    }

    /** The environment comes first: asking the resolver for one's own name may take seconds. */
    private static String host() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // a host without a name still has processes
        }
    }
}
