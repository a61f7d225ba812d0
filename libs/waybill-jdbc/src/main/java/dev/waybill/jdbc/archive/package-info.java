/**
 * Rows that were deleted because they were old, kept in compressed files of JSON lines.
 *
 * <p>Rule: what was written is on disk before the call returns; a file is written once, by one process, and never changed
 * after it was closed. Nothing here knows a database.
 */
@NullMarked
package dev.waybill.jdbc.archive;

import org.jspecify.annotations.NullMarked;
