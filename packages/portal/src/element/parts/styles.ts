import { adaptation } from './styles/adaptation.ts';
import { buttons } from './styles/buttons.ts';
import { charts } from './styles/charts.ts';
import { code } from './styles/code.ts';
import { forms } from './styles/forms.ts';
import { layout } from './styles/layout.ts';
import { lists } from './styles/lists.ts';
import { navigation } from './styles/navigation.ts';
import { states } from './styles/states.ts';
import { theme } from './styles/theme.ts';

/** The styles of the element. @internal */
export const styles = [theme, layout, navigation, buttons, states, code, lists, forms, charts, adaptation];
