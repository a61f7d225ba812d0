package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.outbox.Outbox;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.OverridingClassLoader;

/** Who publishes, also beside beans that cannot be looked at. */
class PublisherFinderTest {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @Test
    void aBeanWithAnOptionalPartThatIsAbsentHidesNoPublisher() throws ClassNotFoundException {
        Class<?> halfThere = new WithoutOptionalPart().loadClass(HalfThere.class.getName());
        beans.registerBeanDefinition("halfThere", new RootBeanDefinition(halfThere));
        assertThat(PublisherFinder.findsOne(beans)).isFalse();

        beans.registerBeanDefinition("publisher", new RootBeanDefinition(PublishingLater.class));
        assertThat(PublisherFinder.findsOne(beans)).isTrue();
    }

    record OptionalPart() {}

    record HalfThere(List<OptionalPart> parts) {}

    record PublishingLater(ObjectProvider<Outbox> outbox) {}

    /** As when a library's optional dependency is not on the class path. */
    private static final class WithoutOptionalPart extends OverridingClassLoader {

        WithoutOptionalPart() {
            super(PublisherFinderTest.class.getClassLoader());
        }

        @Override
        protected boolean isEligibleForOverriding(String name) {
            return name.equals(HalfThere.class.getName());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(OptionalPart.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
