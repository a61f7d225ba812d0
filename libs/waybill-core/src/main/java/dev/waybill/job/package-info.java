/**
 * Jobs: decisions of operators that take long, worked off in the background by any process of the application.
 *
 * <p>Rule: all that a job knows is in the database. A process may die at any moment, and the next one goes on; working a subject off twice is
 * harmless.
 */
@NullMarked
package dev.waybill.job;

import org.jspecify.annotations.NullMarked;
