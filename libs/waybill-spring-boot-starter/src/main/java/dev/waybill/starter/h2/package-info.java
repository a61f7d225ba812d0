/**
 * H2 in a file, made as safe as a server.
 *
 * <p>It changes only the address of Boot's own DataSource, and no address that says WRITE_DELAY itself.
 */
@NullMarked
package dev.waybill.starter.h2;

import org.jspecify.annotations.NullMarked;
