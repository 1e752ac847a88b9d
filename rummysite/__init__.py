"""The site: settings, addresses, the server application. What is played lives in games, who plays in accounts."""
