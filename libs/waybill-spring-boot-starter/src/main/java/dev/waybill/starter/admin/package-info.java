/**
 * The admin API under {@code /waybill/api}: what a person looks at and decides, over HTTP.
 *
 * <p>Rule: no call is answered before {@link AdminAccess} knows who asks and whether they may. What changes something needs a reason and is
 * audited. Texts of messages and rows are data, never parts of a statement or a log line.
 */
@NullMarked
package dev.waybill.starter.admin;

import org.jspecify.annotations.NullMarked;
