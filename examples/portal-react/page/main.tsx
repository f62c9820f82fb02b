import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Partners } from './partners.tsx';

/** Your page: the portal is one part of it. */
const Settings = () => {
  const [added, setAdded] = useState(0);
  return (
    <main>
      <h1>Settings of Bellerive</h1>
      <p>Keys added since this page was opened: {added}</p>
      <Partners language="en" onKeyAdded={() => setAdded((count) => count + 1)} />
    </main>
  );
};

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <Settings />
    </StrictMode>,
  );
