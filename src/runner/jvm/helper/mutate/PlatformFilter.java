package mutate;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.PostDiscoveryFilter;

/** Lets through the tests that are wanted, without a word on any command line. */
class PlatformFilter implements PostDiscoveryFilter {
    private final Wish wish;

    PlatformFilter(Wish wish) {
        this.wish = wish;
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        UniqueId unique = test.getUniqueId();
        boolean decides = test.isTest() || PlatformListener.isMethodSegment(unique);
        return FilterResult.includedIf(!decides || wish.wantsMethod(PlatformListener.id(unique)));
    }
}
