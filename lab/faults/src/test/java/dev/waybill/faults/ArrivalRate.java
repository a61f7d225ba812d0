package dev.waybill.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** How many messages had arrived at each look, repeats included. */
final class ArrivalRate {

    private record Look(double seconds, int arrived) {

        double perSecondUntil(Look later) {
            return (later.arrived - arrived) / (later.seconds - seconds);
        }
    }

    private final Arrivals arrivals;
    private final long begun = System.nanoTime();
    private final List<Look> looks = new ArrayList<>();

    ArrivalRate(Arrivals arrivals) {
        this.arrivals = arrivals;
        look();
    }

    void look() {
        looks.add(new Look(seconds(), arrivals.total()));
    }

    /** Since the first look. */
    double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }

    /** Arrived up to the first look after so many seconds. */
    int countUntil(int seconds) {
        return lookAfter(seconds).arrived - looks.get(0).arrived;
    }

    /** The mean per second after so many seconds. */
    double after(int seconds) {
        return lookAfter(seconds).perSecondUntil(looks.get(looks.size() - 1));
    }

    /** The most per second between two looks, after so many seconds. */
    double mostAfter(int seconds) {
        return IntStream.range(1, looks.size())
                .filter(i -> looks.get(i - 1).seconds >= seconds)
                .mapToDouble(i -> looks.get(i - 1).perSecondUntil(looks.get(i)))
                .max()
                .orElse(0);
    }

    /** The least per second over so many looks. */
    double least(int steps) {
        return IntStream.range(steps, looks.size())
                .mapToDouble(i -> looks.get(i - steps).perSecondUntil(looks.get(i)))
                .min()
                .orElse(0);
    }

    private Look lookAfter(int seconds) {
        return looks.stream()
                .filter(look -> look.seconds >= seconds)
                .findFirst()
                .orElseGet(() -> looks.get(looks.size() - 1));
    }
}
