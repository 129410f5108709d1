"""The published reference: pages made from what is known of games, and a site made from pages by mkdocs."""
