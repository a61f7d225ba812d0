/**
 * The private RocketMQ server: name server and broker in one JVM, started by {@code ./dev services}, and a slave for tests that need one.
 * Nothing outside this package may use it: tests talk to it over the network, as to any other server.
 */
@NullMarked
package dev.waybill.servers.rocketmq;

import org.jspecify.annotations.NullMarked;
