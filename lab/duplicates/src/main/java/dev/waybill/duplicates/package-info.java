/**
 * Counts near copies in the Java code of this repository with PMD's CPD. The test of this module fails the build when there
 * are more of them than {@code limits.properties} allows.
 */
@NullMarked
package dev.waybill.duplicates;

import org.jspecify.annotations.NullMarked;
