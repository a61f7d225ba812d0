/**
 * Real servers for tests and labs: private ones from {@code ./dev services}, or those named by the environment, and the
 * means to disturb them.
 * Test scope only; nothing here is published, nothing here knows Waybill's own modules, and a server that cannot be had
 * fails the test instead of skipping it.
 */
@NullMarked
package dev.waybill.servers;

import org.jspecify.annotations.NullMarked;
