/** Who may do what, by HTTP: the table in {@code docs/services.md} against the running services. */
@NullMarked
package dev.waybill.flows.rights;

import org.jspecify.annotations.NullMarked;
