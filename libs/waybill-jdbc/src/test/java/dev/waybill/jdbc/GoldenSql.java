package dev.waybill.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Records the statements that a store sends, verb by verb, and lays them out for reading: only white space is changed, and
 * a statement that follows an equal one is left out.
 */
final class GoldenSql {

    private static final int WIDTH = 120;
    private static final String CONTINUED = "      ";
    private static final Pattern CLAUSE =
            Pattern.compile("((?<!EPOCH )FROM|WHERE|VALUES|SELECT|ORDER BY|UPDATE|DELETE FROM) ");
    private static final Pattern OPERATOR = Pattern.compile("(AND|OR|WHEN) ");

    private final List<String> sent = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final DataSource dataSource;

    GoldenSql(DataSource target, String heading) {
        this.dataSource = StatementObserver.over(target, sent::add);
        text.append("-- ").append(heading).append('\n');
    }

    /** What the store under test is built on. */
    DataSource dataSource() {
        return dataSource;
    }

    /** Does something whose statements are of no interest. */
    void unseen(Runnable work) {
        work.run();
        sent.clear();
    }

    /** Does what the heading says and writes down all statements that it took. */
    void section(String heading, Runnable work) {
        section(heading, sql -> true, work);
    }

    /** The same; only statements that fit are written down. */
    void section(String heading, Predicate<String> wanted, Runnable work) {
        sent.clear();
        work.run();
        text.append("\n-- ").append(heading).append('\n');
        String last = "";
        for (String sql : sent) {
            if (wanted.test(sql) && !sql.equals(last)) {
                text.append(laidOut(sql)).append(";\n");
                last = sql;
            }
        }
        sent.clear();
    }

    String text() {
        return text.toString();
    }

    private static String laidOut(String sql) {
        List<String> lines = new ArrayList<>();
        for (String line : sql.replaceAll("\\s+,", ",").split("\n", -1)) {
            if (!line.isBlank()) {
                String indent =
                        line.substring(0, line.length() - line.stripLeading().length());
                lines.addAll(wrapped(indent, line.strip().replaceAll(" +", " ").replace(" )", ")")));
            }
        }
        return String.join("\n", lines);
    }

    private static List<String> wrapped(String indent, String line) {
        List<String> lines = new ArrayList<>();
        String rest = indent + line;
        while (rest.length() > WIDTH) {
            int end = breakingPoint(rest);
            lines.add(rest.substring(0, end));
            String next = rest.substring(end).strip();
            boolean clause =
                    depth(rest.substring(0, end)) == 0 && CLAUSE.matcher(next).lookingAt();
            rest = indent + (clause ? "" : CONTINUED) + next;
        }
        lines.add(rest);
        return lines;
    }

    private static int depth(String text) {
        return text.chars().map(c -> c == '(' ? 1 : c == ')' ? -1 : 0).sum();
    }

    /** The place outside of most brackets: before a clause, else before the last operator or after the last comma. */
    private static int breakingPoint(String line) {
        int best = line.lastIndexOf(' ', WIDTH);
        int bestRank = Integer.MAX_VALUE;
        int depth = 0;
        for (int i = 0; i <= WIDTH; i++) {
            char c = line.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c != ' ' || line.substring(0, i).isBlank()) {
                continue;
            }
            boolean clause = CLAUSE.matcher(line)
                    .region(i + 1, line.length())
                    .useTransparentBounds(true)
                    .lookingAt();
            boolean other = line.charAt(i - 1) == ','
                    || OPERATOR.matcher(line).region(i + 1, line.length()).lookingAt();
            int rank = clause ? 2 * depth : 2 * depth + 1;
            if ((clause || (other && i > WIDTH / 2)) && rank <= bestRank) {
                best = i;
                bestRank = rank;
            }
        }
        return best;
    }
}
