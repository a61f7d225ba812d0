/**
 * The reference services in one JVM: one command, nothing to install.
 *
 * <p>Rule: a service does not know that it shares a process; what they share here is a broker and a folder.
 */
@NullMarked
package dev.waybill.quickstart;

import org.jspecify.annotations.NullMarked;
