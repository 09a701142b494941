/** Order of the page's sections: phones show the earnings and the chart first, and the rest below. */

import { KindChoice } from './overview/kind-choice.tsx';
import { Overview } from './overview/overview.tsx';
import { TopLists } from './overview/top-lists.tsx';
import {
  EarningsFirst,
  PerformanceDetails,
  PerformanceOverview,
} from './performance/performance-overview.tsx';
import { useNarrow } from './ui/use-narrow.ts';

export const PageSections = () => (useNarrow() ? <PhoneSections /> : <WideSections />);

const WideSections = () => (
  <>
    <PerformanceOverview />
    <KindChoice />
    <Overview />
    <TopLists />
  </>
);

const PhoneSections = () => (
  <>
    <EarningsFirst />
    <KindChoice />
    <Overview isChartFirst />
    <PerformanceDetails />
    <TopLists />
  </>
);
