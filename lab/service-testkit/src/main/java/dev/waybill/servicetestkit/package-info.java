/**
 * What the tests of the services share: a service that runs on a free port, calls to it and its replies, concurrent callers,
 * its log, and the check of its messages against its AsyncAPI document.
 * Test scope only; nothing here is published, and nothing here knows a service's classes.
 */
@NullMarked
package dev.waybill.servicetestkit;

import org.jspecify.annotations.NullMarked;
